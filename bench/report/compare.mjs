// Compares the ratios of two reports. Ratios to a floor differ less between machines than absolute figures.

/** Reports changes by more than a third. */
const MOST = 4 / 3;

/** Returns ratios of both reports that changed, the largest change first. */
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

/** Formats the changes for people. */
export function told({ compared, moves }) {
  if (compared === 0) return ['No ratio stands in the last report too.'];
  return [
    `${moves.length} of ${compared} ratios moved by more than a third since the last report:`,
    ...moves.map(
      ({ what, ratio, before }) => `  ${what}: ${before.toFixed(2)} -> ${ratio.toFixed(2)}`,
    ),
  ];
}
