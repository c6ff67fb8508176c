/** Round numbers for the axes of charts. */
const minute = 60_000;
const hour = 60 * minute;
const timeSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360].map((minutes) => minutes * minute);

/** From 0 to the first round number that isn't below `most`, in at most 5 steps. */
export function moneyTicks(most: number): readonly number[] {
  const rough = Math.max(most, 0.01) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 5, 10].map((times) => times * power).find((size) => size >= rough - power * 1e-9) ?? rough;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: Math.max(1, count) + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Full minutes or hours of the local day between two times, at most 8. */
export function timeTicks(from: number, to: number): readonly number[] {
  const step = timeSteps.find((size) => (to - from) / size <= 8) ?? 6 * hour;
  const midnight = new Date(from).setHours(0, 0, 0, 0);
  const first = midnight + Math.ceil((from - midnight) / step) * step;
  return Array.from(
    { length: Math.max(0, Math.floor((to - first) / step) + 1) },
    (_, index) => first + index * step,
  );
}
