import type { Response } from 'supertest';

import { locationOf } from './page-visitor.js';
import type { TestApp } from './test-app.js';

/** Moves the logins and confirmations of a user's sessions into the past. */
export const ageSessions = ({ database }: TestApp, userId: string, minutes = 11) =>
  database.query(
    'UPDATE sessions SET proven_at = proven_at - make_interval(mins => $2::int) WHERE user_id = $1',
    [userId, minutes],
  );

interface MountedRoute {
  readonly method: 'get' | 'post';
  /** The path with the names of its parameters. */
  readonly path: string;
}

interface ExpressRoute {
  readonly path: string;
  readonly methods: Readonly<Record<string, boolean>>;
}

/** Returns the GET and POST routes of Express, each once. */
export function mountedRoutes({ app }: TestApp): MountedRoute[] {
  const { router } = app.getHttpAdapter().getInstance() as unknown as {
    router: { stack: { route?: ExpressRoute }[] };
  };
  const routes = router.stack.flatMap(({ route }) =>
    route === undefined
      ? []
      : (['get', 'post'] as const)
          .filter((method) => route.methods[method])
          .map((method) => `${method} ${route.path}`),
  );
  return [...new Set(routes)].map((route) => {
    const [method, path] = route.split(' ') as [MountedRoute['method'], string];
    return { method, path };
  });
}

/** Replaces the parameters of a path by a number. */
export const filledPath = (path: string, id: string): string => path.replaceAll(/[:*]\w+/g, id);

/** Returns the address of the page on which a user confirms the login before opening `path`. */
export const confirmPathTo = (path: string): string =>
  `/auth/confirm?${new URLSearchParams({ next: path }).toString()}`;

const HEADING = '<h1>Confirm that it is you</h1>';

/** Returns the HTML of a response. Binary responses have no text. */
const shownHtml = ({ text }: { text?: string }): string => text ?? '';

/** Returns true if the response asks the user to confirm the login. */
export const asksToConfirm = (answer: Response): boolean =>
  locationOf(answer).startsWith('/auth/confirm?') || shownHtml(answer).includes(HEADING);
