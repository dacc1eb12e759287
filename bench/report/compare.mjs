// Ratios of one report beside those of another: machines differ in speed, and less in how a figure stands to its floor.

/** What is told: a third more, or a third less. */
const MOST = 4 / 3;

/** Ratios that both have, and that moved, the furthest first. */
export function moved(now, last) {
  const both = Object.entries(now).flatMap(([name, ratios]) =>
    Object.entries(ratios.ratios ?? {}).map(([what, ratio]) => ({
      what,
      ratio,
      before: last[name]?.ratios?.[what],
    })),
  );
  const known = both.filter(({ before, ratio }) => before > 0 && ratio > 0);
  const by = ({ ratio, before }) => Math.max(ratio / before, before / ratio);
  return {
    compared: known.length,
    moves: known.filter((one) => by(one) > MOST).toSorted((a, b) => by(b) - by(a)),
  };
}

/** Lines for a person. */
export function told({ compared, moves }) {
  if (compared === 0) return ['No ratio stands in the last report too.'];
  return [
    `${moves.length} of ${compared} ratios moved by more than a third since the last report:`,
    ...moves.map(
      ({ what, ratio, before }) => `  ${what}: ${before.toFixed(2)} -> ${ratio.toFixed(2)}`,
    ),
  ];
}
