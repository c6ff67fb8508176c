/** Runs tasks in order within a lane and concurrently across lanes. An empty lane costs nothing. */
interface Lanes {
  run(lane: string, task: () => Promise<void>): Promise<void>;
  /** Runs the task at once if the lane is empty, otherwise after the lane's pending tasks. */
  after(lane: string, task: () => void): Promise<void> | void;
}

export function createLanes(): Lanes {
  const busy = new Map<string, Promise<void>>();
  return {
    run(lane, task) {
      const before = busy.get(lane);
      const done = before === undefined ? task() : before.then(task);
      const settled = done.finally(() => {
        if (busy.get(lane) === settled) busy.delete(lane);
      });
      busy.set(lane, settled);
      return settled;
    },
    after: (lane, task) => {
      const before = busy.get(lane);
      return before === undefined ? task() : before.then(task);
    },
  };
}
