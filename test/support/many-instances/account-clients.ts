import type { Person } from './person.js';

/** Checks that a login works on every instance until it ends by a logout. */
export async function browse(person: Person): Promise<void> {
  let visits = 0;
  await person.keeps(
    async () => {
      visits += 1;
      const { status } = await person.client.get('/account', { cookie: person.cookie });
      if (status !== 200) {
        person.finds(
          `a browser was logged out (${status}) at visit ${visits}, ${new Date().toJSON()}`,
        );
      }
      if (visits % 8 === 0) {
        await logOut(person);
      }
    },
    () => 300,
  );
}

async function logOut(person: Person): Promise<void> {
  const { cookie } = person;
  const { status, lost } = await person.client.post('/logout', {}, { cookie });
  // 401 is correct if the first attempt's answer was lost.
  if (status !== 204 && !(lost > 0 && status === 401)) {
    person.finds(`a logout was answered with ${status}`);
  }
  for (const path of ['/account', '/account']) {
    const { status: afterwards } = await person.client.get(path, { cookie });
    if (afterwards === 200) {
      person.finds('a session outlived its logout');
    }
  }
  await person.logIn();
}

/** Exchanges a refresh token at one instance and uses the new tokens at the others. */
export async function refresh(person: Person): Promise<void> {
  await person.keeps(
    async () => {
      const old = person.refreshToken;
      const { issuing } = person.issued;
      const clocks = person.watchClocks();
      const answer = await person.client.post('/refresh', { refresh_token: old });
      if (answer.status === 200) {
        person.take(answer, clocks);
        await person.called('/v3/get', { count: 1 });
        const again = await person.client.post('/refresh', { refresh_token: old });
        if (again.status !== 401) {
          person.finds(`a refresh token was exchanged twice (${again.status})`);
        }
      } else if (
        (answer.lost === 0 || answer.status !== 401) &&
        // After a step forward, the second use of the old token seems late, as a thief's, and ends the login.
        issuing.wasRight
      ) {
        person.finds(`the latest refresh token was refused (${answer.status})`);
      }
      // The exchange may have succeeded even if its answer was lost.
      if (answer.status !== 200) {
        await person.logIn();
      }
    },
    () => 400,
  );
}

/** How many attempts a limit passed and refused. */
export interface Counts {
  passed: number;
  refused: number;
  /** Attempts without an answer. They may have been counted. */
  lost: number;
}

export const noCounts = (): Counts => ({ passed: 0, refused: 0, lost: 0 });

/** Repeatedly tries a wrong password. */
export async function guess(person: Person, counts: Counts): Promise<void> {
  await person.keeps(
    async () => {
      const { email } = person;
      const answer = await person.client.post('/login', { email, password: 'a wrong pass phrase' });
      count(counts, answer, 401);
    },
    () => 300,
  );
}

/** Calls without pause until a call is refused, then every half a second. */
export async function call(person: Person, counts: Counts): Promise<void> {
  const programs = ['a', 'b', 'c'].map((name) => person.as(name));
  await Promise.all(
    programs.map((program) =>
      program.keeps(
        async () => {
          count(counts, await program.call('/v3/get', { count: 1 }), 200);
        },
        () => (counts.refused === 0 ? 0 : 500),
      ),
    ),
  );
}

function count(
  counts: Counts,
  { status, lost }: { status: number; lost: number },
  passes: number,
): void {
  counts.lost += lost;
  if (status === passes) {
    counts.passed += 1;
  } else if (status === 429) {
    counts.refused += 1;
  } else {
    throw new Error(`a call that is counted was answered with ${status}`);
  }
}
