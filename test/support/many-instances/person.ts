import { setTimeout as pause } from 'node:timers/promises';

import { type Answer, jsonOf, PersistentClient } from './persistent-client.js';

const PASSWORD = 'a long pass phrase';

let people = 0;

/** Data that the clients of one test share. */
export interface Scene {
  readonly url: string;
  readonly consumerKey: string;
  readonly isOver: () => boolean;
  /** True if access tokens may expire before their time. */
  readonly mayExpire?: () => boolean;
  /** Errors that the clients detected. */
  readonly findings: string[];
}

/** A user whose requests are repeated until they are answered. */
export class Person {
  accessToken = '';
  refreshToken = '';
  cookie = '';

  private constructor(
    readonly scene: Scene,
    readonly client: PersistentClient,
    readonly email: string,
  ) {}

  static async signedUp(scene: Scene): Promise<Person> {
    people += 1;
    const email = `ada${people}@example.com`;
    const person = new Person(scene, new PersistentClient(scene.url, email), email);
    const { status } = await person.client.post('/register', {
      name: 'Ada',
      email,
      password: PASSWORD,
    });
    // 409 is correct if the first attempt's answer was lost.
    if (status !== 201 && status !== 409) {
      throw new Error(`${email} could not register: ${status}`);
    }
    await person.logIn();
    return person;
  }

  /** Returns the same user with another program. The proxy chooses instances for each program separately. */
  as(program: string): Person {
    const client = new PersistentClient(this.scene.url, `${this.email} ${program}`);
    return Object.assign(new Person(this.scene, client, this.email), {
      ...{ accessToken: this.accessToken, refreshToken: this.refreshToken, cookie: this.cookie },
    });
  }

  async logIn(): Promise<void> {
    const { email } = this;
    const answer = await this.client.post('/login', { email, password: PASSWORD });
    if (answer.status !== 200) {
      throw new Error(`${email} could not log in: ${answer.status} ${answer.body.toString()}`);
    }
    this.take(answer);
    this.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  take(answer: Answer): void {
    const pair = jsonOf<{ access_token: string; refresh_token: string }>(answer);
    this.accessToken = pair.access_token;
    this.refreshToken = pair.refresh_token;
  }

  get credentials(): { readonly consumer_key: string; readonly access_token: string } {
    return { consumer_key: this.scene.consumerKey, access_token: this.accessToken };
  }

  /** Calls an endpoint of the reading list. */
  call(path: string, members: object = {}): Promise<Answer> {
    return this.authorized(() => this.client.post(path, { ...this.credentials, ...members }));
  }

  /** Logs in again if an access token has expired because a clock was set. */
  async authorized(
    ask: () => Promise<Answer>,
    logIn = (): Promise<void> => this.logIn(),
  ): Promise<Answer> {
    for (;;) {
      const answer = await ask();
      if (answer.status !== 401 || this.scene.mayExpire?.() !== true) {
        return answer;
      }
      await logIn();
    }
  }

  /**
   * Calls an endpoint.
   * @throws Error unless the status is 200
   */
  async called<Members>(path: string, members: object = {}): Promise<Members> {
    const answer = await this.call(path, members);
    if (answer.status !== 200) {
      throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
    }
    return jsonOf<Members>(answer);
  }

  /** Repeats an action until the scene ends. Records errors as findings. */
  async keeps(doing: () => Promise<void>, everyMs: () => number): Promise<void> {
    while (!this.scene.isOver()) {
      try {
        await doing();
      } catch (error) {
        this.finds(String(error));
        return;
      }
      await pause(everyMs());
    }
  }

  finds(what: string): void {
    this.scene.findings.push(`${this.email}: ${what}`);
  }
}
