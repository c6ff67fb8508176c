/** Structured logs. They never receive message content or secrets. */
export interface Logger {
  log(
    level: 'debug' | 'info' | 'warn' | 'error',
    message: string,
    fields?: Readonly<Record<string, unknown>>,
  ): void;
}
