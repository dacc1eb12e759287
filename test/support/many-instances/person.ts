import { setTimeout as pause } from 'node:timers/promises';

import { type Answer, jsonOf, PersistentClient } from './persistent-client.js';

const PASSWORD = 'a long pass phrase';

let people = 0;

/** What the clients of one test share. */
export interface Scene {
  readonly url: string;
  readonly consumerKey: string;
  readonly isOver: () => boolean;
  /** What should not have been seen. */
  readonly findings: string[];
}

/** A user with an account, whose requests are sent until they have an answer. */
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
    // 409 where the answer to the first attempt was lost.
    if (status !== 201 && status !== 409) {
      throw new Error(`${email} could not register: ${status}`);
    }
    await person.logIn();
    return person;
  }

  /** The same person with another program, which has a turn of its own. */
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

  /** A call of the reading list. */
  call(path: string, members: object = {}): Promise<Answer> {
    return this.client.post(path, { ...this.credentials, ...members });
  }

  /** The same where nothing but 200 is right. */
  async called<Members>(path: string, members: object = {}): Promise<Members> {
    const answer = await this.call(path, members);
    if (answer.status !== 200) {
      throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
    }
    return jsonOf<Members>(answer);
  }

  /** Does the same again and again until the scene is over; what fails is a finding. */
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
