// The minimum work for a page: fetch, and the service's extraction in the same number of threads.
import { ExtractionPool } from '../../dist/src/lib/extraction/extraction-pool.js';

/** Returns pages per second and milliseconds per page at this concurrency. */
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
  // One second for the threads to start and compile, which is not measured.
  end = performance.now() + 1000;
  await Promise.all(Array.from({ length: atOnce }, read));
  times.length = 0;
  end = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: atOnce }, read));
  await pool.close();
  return { rate: times.length / seconds, times };
}
