/** Budgets that cover a session and its children. */
export type BudgetName = 'tokens' | 'cost' | 'tool-calls';

export const budgetNames: readonly BudgetName[] = ['tokens', 'cost', 'tool-calls'];
