// Measures a batch of actions from request to answer.

export const median = (numbers) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const ACTIONS = ['archive', 'favorite', 'tags_add', 'readd', 'unfavorite', 'tags_remove'];

/** Sends batches for the newest items of a list with 50,000 items. */
export async function timeSends(url, { credentials, itemIds }) {
  console.log('\nsend of actions, 50,000 items      median ms   fastest ms');
  for (const size of [1, 100, 1000]) {
    const times = [];
    for (let repeat = 0; repeat < 9; repeat += 1) {
      const actions = Array.from({ length: size }, (_, at) => ({
        action: ACTIONS[(at + repeat) % ACTIONS.length],
        item_id: itemIds[(at * 7 + repeat) % itemIds.length],
        tags: 'one,two',
      }));
      times.push(await timeOf(url, { ...credentials, actions }));
    }
    console.log(
      String(size).padEnd(34),
      median(times).toFixed(1).padStart(9),
      Math.min(...times)
        .toFixed(1)
        .padStart(12),
    );
  }
}

/** Returns the milliseconds of one request with actions. */
async function timeOf(url, body) {
  const begin = performance.now();
  const response = await fetch(`${url}/v3/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { status } = await response.json();
  if (response.status !== 200 || status !== 1) throw new Error(`send: ${response.status}`);
  return performance.now() - begin;
}
