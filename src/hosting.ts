/**
 * `rondo/hosting`: building blocks for your own relay or server: hosted sessions with their five states, the order
 * of shutdown, agents in worktrees, and the HTTP and WebSocket server. `rondo serve` and `examples/relay` are built
 * from them.
 */
export { storeFrom as openStore } from './assembly/default-parts.ts';
export { createCleaner, type Cleaner } from './host/cleaner.ts';
export { createDurableHostedStore } from './host/durable-hosted-store.ts';
export { createHostedAgents, type HostedAgents } from './host/host-agent.ts';
export { createMemoryHostedStore, type HostedSession, type HostedStore } from './host/hosted-session.ts';
export { createHostedSessions, type HostedQuery, type HostedSessions } from './host/hosted-sessions.ts';
export {
  isTransitionError,
  nextLifecycle,
  type LifecycleEvent,
  type LifecycleState,
  type TransitionError,
} from './host/lifecycle.ts';
export { isDead, ownIdentity } from './journal/process-identity.ts';
export { createSystemClock } from './runtime/system-clock.ts';
export { createSystemIds } from './runtime/system-ids.ts';
export { startServer, type Server, type ServerOptions } from './server/server.ts';
export { createWorktrees, type Worktrees } from './worktrees/worktrees.ts';
