/**
 * `rondo/testing`: helpers for testing programs that use Rondo, also used by Rondo's own tests. No network, no real
 * time, and no test runner: everything here is plain values and functions.
 */
export { createMemoryStore, type MemoryStore } from '../journal/memory-store.ts';
export { createScriptedModel, type ScriptedModel, type ScriptedStep } from '../models/scripted.ts';
export { createTestingModel } from '../models/testing-model.ts';
export { createFakeClock, type FakeClock } from './fake-clock.ts';
export { createFakeIds } from './fake-ids.ts';
export { faultLoop, type FaultReport, type FaultScenario } from './fault-loop.ts';
export { createFaultyStore, type Failure, type FaultyStore } from './faulty-store.ts';
export {
  decisions,
  effect,
  events,
  given,
  question,
  refusal,
  stepSoundly,
  testSession,
  testTime,
  type Expectation,
  type Given,
  type GivenInput,
} from './given.ts';
export * as inputs from './inputs.ts';
export { journalProblems, readWholeJournal } from './journal-checks.ts';
export { sessionFromBundle, type BundledSession } from './session-from-bundle.ts';
export { simulate, type SimulationOptions, type SimulationReport } from './simulation.ts';
export { testTool } from './test-tool.ts';
export { testingAgent } from './testing-agent.ts';
export { createWorld, type EffectCrash, type World } from './world.ts';
export { createRecorder, createReplay, readRecording } from '../models/recorded.ts';
