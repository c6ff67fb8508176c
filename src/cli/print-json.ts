export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, undefined, 2));
}
