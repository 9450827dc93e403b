// Weights of signals from labelled statements: logistic regression, pulled towards nothing.

/** How strongly weights are pulled to zero, against statements of which a window's two hundred count one each. */
const PULL = 10;
const STEPS = 12;
const WINDOW_STATEMENTS = 200;

const sigmoid = (sum) => 1 / (1 + Math.exp(-sum));

/** Rows are windows of `{ signals, right }`; signals in `fixed` keep their weights. Each window counts alike. */
export function fitWeights(windows, names, fixed) {
  const free = names.filter((name) => !fixed.has(name));
  const rows = windows.flatMap((statements) =>
    statements.map(({ signals, right }) => ({
      given: [...fixed].reduce((sum, [name, weight]) => sum + weight * (signals.get(name) ?? 0), 0),
      held: free.flatMap((name, column) => (signals.get(name) ? [[column, signals.get(name)]] : [])),
      right: right ? 1 : 0,
      count: WINDOW_STATEMENTS / statements.length,
    })),
  );
  const weights = free.map(() => 0);
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight) => PULL * weight);
    const bend = weights.map((_, row) => weights.map((_, column) => (row === column ? PULL : 0)));
    for (const { given, held, right, count } of rows) {
      const odds = sigmoid(held.reduce((sum, [column, value]) => sum + weights[column] * value, given));
      for (const [column, value] of held) {
        slope[column] += count * (odds - right) * value;
        for (const [other, much] of held) bend[column][other] += count * odds * (1 - odds) * value * much;
      }
    }
    const change = solve(bend, slope);
    for (const [column, by] of change.entries()) weights[column] -= by;
  }
  return new Map([...fixed, ...free.map((name, column) => [name, weights[column]])]);
}

/** What statements are worth by these weights. */
export const weighBy = (weights, signals) =>
  sigmoid([...weights].reduce((sum, [name, weight]) => sum + weight * (signals.get(name) ?? 0), 0));

/** Gauss' way; the matrix is positive because of the pull. */
function solve(matrix, values) {
  const rows = matrix.map((row, index) => [...row, values[index]]);
  for (const [at, pivot] of rows.entries())
    for (const [index, row] of rows.entries()) {
      if (index <= at) continue;
      const share = row[at] / pivot[at];
      if (share !== 0) for (let column = at; column < row.length; column++) row[column] -= share * pivot[column];
    }
  const answer = values.map(() => 0);
  for (let at = rows.length - 1; at >= 0; at--) {
    const known = answer.reduce((sum, value, column) => (column > at ? sum + rows[at][column] * value : sum), 0);
    answer[at] = (rows[at].at(-1) - known) / rows[at][at];
  }
  return answer;
}
