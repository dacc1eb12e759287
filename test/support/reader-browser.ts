import type { Page } from 'playwright-core';

import type { SignedIn } from './account-api.js';
import { aVisitor, type OAuthApi } from './oauth-api.js';
import type { TestApp } from './test-app.js';

/** Logs in on the login page of a browser. */
export async function logIn(page: Page, { email, password }: SignedIn): Promise<void> {
  await page.goto('/auth/login');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(/\/list/);
}

/** Returns the saved items from the API: URLs keyed by item id. */
export async function savedOf(
  { app, api }: { app: TestApp; api: OAuthApi },
  user: SignedIn,
  state = 'unread',
): Promise<Map<string, string>> {
  const token = await api.accessToken(await aVisitor(app, user));
  const { body } = await api.get(token, { state }).expect(200);
  const list = body.list as Record<string, { given_url: string }>;
  return new Map(Object.entries(list).map(([id, { given_url: url }]) => [id, url]));
}

/** Selects words of the open article. They must be in one text node. */
export const selectWords = (
  page: { evaluate(script: string): Promise<unknown> },
  words: string,
): Promise<unknown> =>
  page.evaluate(`{
    const walk = document.createTreeWalker(document.getElementById('article-text'), NodeFilter.SHOW_TEXT);
    const text = () => walk.currentNode.data.replace(/\\s/g, ' ');
    while (walk.nextNode() && !text().includes(${JSON.stringify(words)}));
    const at = text().indexOf(${JSON.stringify(words)});
    getSelection().setBaseAndExtent(walk.currentNode, at, walk.currentNode, at + ${words.length});
  }`);

/** Queues a change of another user in the browser. The service worker does not send it. */
export const queueChange = (page: Page, database = 'satchel'): Promise<number> =>
  page.evaluate<number>(inQueue(database, `add({ user: '0', body: 'one=archive%3A1' })`));

/** Returns the number of queued changes in the browser. */
export const queuedChanges = (page: Page, database = 'satchel'): Promise<number> =>
  page.evaluate<number>(inQueue(database, 'count()'));

/** Returns a script that runs one call on the queue. The result is 0 if the browser has no queue, and none is created. */
const inQueue = (database: string, call: string): string => `new Promise((resolve) => {
  const opening = indexedDB.open('${database}');
  opening.onupgradeneeded = () => opening.transaction.abort();
  opening.onerror = () => resolve(0);
  opening.onsuccess = ({ target: { result: database } }) => {
    const transaction = database.transaction('changes', 'readwrite');
    const request = transaction.objectStore('changes').${call};
    transaction.oncomplete = () => {
      database.close();
      resolve(request.result);
    };
  };
})`;
