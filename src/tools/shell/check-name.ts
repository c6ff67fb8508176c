/** True for names that projects give their tests, linters, type checks and builds. */
export function isCheckName(name: string): boolean {
  return (
    /^(?:tests?|unit|spec|lint|check|type-?check|types|tsc|format|fmt|build|compile|coverage)(?:[:._-][\w:.-]+)?$/.test(
      name,
    ) && !/deploy|publish|release|push|prod|live|remote|upload/i.test(name)
  );
}
