/** Measurements of a child process, by name. Each takes one JSON argument and answers with JSON. */
export const measurements = {
  'single-turns': async () => (await import('./turn/single-turns.ts')).measureSingleTurns,
  'long-session': async () => (await import('./turn/long-session.ts')).measureLongSession,
  allocation: async () => (await import('./turn/allocation.ts')).measureAllocation,
  'marked-turns': async () => (await import('./turn/marked-turns.ts')).runMarkedTurns,
  'seed-session': async () => (await import('./open/seed-session.ts')).seedSession,
  'open-session': async () => (await import('./open/open-session.ts')).measureOpening,
  'waiting-sessions': async () => (await import('./many/waiting-sessions.ts')).measureWaitingSessions,
  'many-turns': async () => (await import('./many/many-turns.ts')).measureManyTurns,
  'stream-load': async () => (await import('./stream/stream-load.ts')).measureStreamLoad,
  'relay-load': async () => (await import('./relay/relay-load.ts')).measureRelayLoad,
  'serve-load': async () => (await import('./serve/serve-load.ts')).measureServeLoad,
  'floor-appends': async () => (await import('./appends/floor-appends.ts')).measureFloorAppends,
  'port-appends': async () => (await import('./appends/port-appends.ts')).measurePortAppends,
  'store-costs': async () => (await import('./stores/store-costs.ts')).measureStoreCosts,
  'seed-postgres': async () => (await import('./stores/open-postgres.ts')).seedPostgres,
  'open-postgres': async () => (await import('./stores/open-postgres.ts')).measureOpenPostgres,
  'leave-sessions': async () => (await import('./stores/take-over.ts')).leaveSessions,
  'take-over': async () => (await import('./stores/take-over.ts')).measureTakeOver,
  'take-over-floor': async () => (await import('./stores/take-over.ts')).measureTakeOverFloor,
  'nats-floor': async () => (await import('./stores/nats-floor.ts')).measureNatsFloor,
  'postgres-floor': async () => (await import('./stores/postgres-floor.ts')).measurePostgresFloor,
  understanding: async () => (await import('./intent/first-understanding.ts')).measureUnderstanding,
  'job-load': async () => (await import('./jobs/job-load.ts')).measureJobLoad,
  'kernel-growth': async () => (await import('./growth/kernel-growth.ts')).measureKernelGrowth,
  'session-growth': async () => (await import('./growth/session-growth.ts')).measureSessionGrowth,
  'life-of-a-session': async () => (await import('./growth/life-of-a-session.ts')).measureLife,
  'approval-fatigue': async () => (await import('./fatigue/fatigue-load.ts')).measureFatigue,
};

type Measure<Name extends MeasurementName> = Awaited<ReturnType<(typeof measurements)[Name]>>;

export type MeasurementName = keyof typeof measurements;
export type ArgumentOf<Name extends MeasurementName> = Parameters<Measure<Name>>[0];
export type ResultOf<Name extends MeasurementName> = Awaited<ReturnType<Measure<Name>>>;
