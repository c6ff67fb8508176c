/** Other command lines beside ours, with `--peers`. None is a dependency, and none has an adapter yet: issue 11 adds them. */
export interface CommandPeer {
  readonly title: string;
  /** A script for Node, resolved from `peerFolder()`, and its words for a version and for a prompt. */
  readonly script: string;
  readonly version: readonly string[];
  readonly prompt: (text: string) => readonly string[];
}

export const commandPeers: readonly CommandPeer[] = [];
