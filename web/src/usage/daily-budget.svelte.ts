/** A person's budget for a day, kept in this browser. It is a line to compare with; limits of sessions stop work. */
const place = 'rondo.daily-budget';
let amount = $state<number | undefined>(kept());

export const dailyBudget = {
  get amount(): number | undefined {
    return amount;
  },
  choose(next: number | undefined): void {
    amount = next;
    if (next === undefined) localStorage.removeItem(place);
    else localStorage.setItem(place, String(next));
  },
};

function kept(): number | undefined {
  const value = Number(localStorage.getItem(place) ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
