import type { Person } from './person.js';

/** A browser that has logged in stays so on every instance, until it logs out. */
export async function browse(person: Person): Promise<void> {
  let visits = 0;
  await person.keeps(
    async () => {
      visits += 1;
      const { status } = await person.client.get('/account', { cookie: person.cookie });
      if (status !== 200) {
        person.finds(`a browser was logged out (${status})`);
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
  // 401 where the answer to the first attempt was lost.
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

/** Exchanges its refresh token at one instance and uses what it gets at the others. */
export async function refresh(person: Person): Promise<void> {
  await person.keeps(
    async () => {
      const old = person.refreshToken;
      const answer = await person.client.post('/refresh', { refresh_token: old });
      if (answer.status === 200) {
        person.take(answer);
        await person.called('/v3/get', { count: 1 });
        const again = await person.client.post('/refresh', { refresh_token: old });
        if (again.status !== 401) {
          person.finds(`a refresh token was exchanged twice (${again.status})`);
        }
      } else if (answer.lost === 0 || answer.status !== 401) {
        person.finds(`the latest refresh token was refused (${answer.status})`);
      }
      // Its exchange may have been done although its answer was lost.
      if (answer.status !== 200) {
        await person.logIn();
      }
    },
    () => 400,
  );
}

/** How often a limit has let something through, and refused it. */
export interface Counts {
  passed: number;
  refused: number;
  /** Attempts without an answer, which may have been counted. */
  lost: number;
}

export const noCounts = (): Counts => ({ passed: 0, refused: 0, lost: 0 });

/** Guesses the password of a person, again and again. */
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

/** Calls until no call is left, and then now and again. */
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
