// The least that reading a page takes: fetch, and the service's own extraction in as many threads.
import { ExtractionPool } from '../../dist/src/lib/extraction/extraction-pool.js';

/** Pages a second, and milliseconds of each, with so many at once. */
export async function readBarely(urls, { atOnce, seconds }) {
  const pool = new ExtractionPool();
  const times = [];
  let next = 0;
  let end = Infinity;
  const read = async () => {
    while (performance.now() < end && next < urls.length) {
      const url = urls[(next += 1) - 1];
      const start = performance.now();
      const html = await (await fetch(url)).text();
      await pool.extract({ html, url });
      times.push(performance.now() - start);
    }
  };
  // The threads start and compile in a second that does not count.
  end = performance.now() + 1000;
  await Promise.all(Array.from({ length: atOnce }, read));
  times.length = 0;
  end = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: atOnce }, read));
  await pool.close();
  return { rate: times.length / seconds, times };
}
