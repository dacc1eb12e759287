import { setTimeout as pause } from 'node:timers/promises';

import { type ClockState, ClockWatch, type Issued, issuedDuring } from './clock-watch.js';
import { type Answer, jsonOf, PersistentClient } from './persistent-client.js';

const PASSWORD = 'a long pass phrase';

let people = 0;

/** Data that the clients of one test share. */
export interface Scene {
  readonly url: string;
  readonly consumerKey: string;
  readonly isOver: () => boolean;
  /** The clocks that the test sets. */
  readonly clocks?: () => ClockState;
  /** Errors that the clients detected. */
  readonly findings: string[];
}

/** A user whose requests are repeated until they are answered. */
export class Person {
  accessToken = '';
  refreshToken = '';
  cookie = '';
  /** The clocks when the tokens were issued. */
  issued = issuedDuring(new ClockWatch());

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
      issued: this.issued,
    });
  }

  async logIn(): Promise<void> {
    const { email } = this;
    const clocks = this.watchClocks();
    const answer = await this.client.post('/login', { email, password: PASSWORD });
    if (answer.status !== 200) {
      throw new Error(`${email} could not log in: ${answer.status} ${answer.body.toString()}`);
    }
    this.take(answer, clocks);
    this.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  /** Stores the tokens of an answer. `clocks` watches since the request. */
  take(answer: Answer, clocks: ClockWatch): void {
    this.issued = issuedDuring(clocks);
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

  watchClocks(): ClockWatch {
    return new ClockWatch(this.scene.clocks);
  }

  /**
   * Logs in again if the answer is 401, and a clock was wrong during the request or when the token was issued. In all
   * other cases, 401 is the answer.
   */
  async authorized(
    ask: () => Promise<Answer>,
    login: { readonly issued: Issued; logIn(): Promise<void> } = this,
  ): Promise<Answer> {
    for (;;) {
      const clocks = this.watchClocks();
      const { isIssuedRight } = login.issued;
      const answer = await ask();
      if (answer.status !== 401 || (isIssuedRight && clocks.wasRight)) {
        return answer;
      }
      await login.logIn();
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
