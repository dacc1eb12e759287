import type { Page } from 'playwright-core';

type Point = readonly [x: number, y: number];

/** The number of movements between two points. Browsers recognize a gesture by its first movements. */
const STEPS = 8;

/** Moves a finger on the screen of a page through these points, and lifts it at the last one. */
export async function swipe(page: Page, from: Point, ...to: readonly Point[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map(([x, y]) => ({ x, y })),
    });
  await touch('touchStart', [from]);
  let [x, y] = from;
  for (const [toX, toY] of to) {
    for (let step = 1; step <= STEPS; step += 1) {
      const share = step / STEPS;
      await touch('touchMove', [[x + (toX - x) * share, y + (toY - y) * share]]);
    }
    [x, y] = [toX, toY];
  }
  await touch('touchEnd', []);
  await session.detach();
}
