/**
 * Loaded into a process with `--import`: its clocks and timers run eight times as fast, so that a test of long waits
 * runs the real schedule in a fraction of the time.
 */
const speed = 8;

const { now: wallClock } = Date;
const startedAt = wallClock();
Date.now = () => startedAt + Math.floor((wallClock() - startedAt) * speed);

const ticks = performance.now.bind(performance);
performance.now = () => ticks() * speed;

const { setTimeout: arm, setInterval: repeat } = globalThis;
globalThis.setTimeout = ((call: () => void, ms = 0, ...args: []) => arm(call, ms / speed, ...args)) as typeof arm;
globalThis.setInterval = (call: () => void, ms = 0, ...args: []) => repeat(call, ms / speed, ...args);
