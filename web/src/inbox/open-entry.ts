import type { QuestionSubject } from '../../../src/kernel/question.ts';

/** An open question as `GET /questions` lists it. */
export interface OpenEntry {
  readonly id: string;
  readonly session: string;
  readonly openedAt: number;
  readonly expiresAt?: number;
  readonly about: QuestionSubject;
}
