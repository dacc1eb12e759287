import { ClockWatch, issuedDuring } from './clock-watch.js';
import type { Fleet } from './fleet.js';
import { asked } from './list-clients.js';
import { type Answer, jsonOf } from './persistent-client.js';
import type { Person } from './person.js';

const PASSWORD = 'a long pass phrase';

/** A program that saves pages in its own protocol, and finds them in it. */
export interface ProtocolClient {
  /** The first label of the host of its pages. */
  readonly name: string;
  readonly person: Person;
  /** Addresses whose save was acknowledged. */
  readonly acknowledged: string[];
  /** Saves and reads until the scene ends. */
  run(): Promise<void>;
}

const PAUSE_MS = 150;
const LENGTH_OF_FEED = 50;

abstract class Saver implements ProtocolClient {
  abstract readonly name: string;
  /** The number of pages that the protocol shows. */
  protected readonly mostShown: number = Infinity;
  readonly acknowledged: string[] = [];
  private attempts = 0;

  constructor(readonly person: Person) {}

  run(): Promise<void> {
    return this.person.keeps(
      async () => {
        this.attempts += 1;
        const url = `https://${this.name}.example/${this.person.email}/${this.attempts}`;
        await this.save(url);
        this.acknowledged.push(url);
        const saved = await this.saved();
        if (!saved.includes(url) && !(await this.isOlder(url, saved))) {
          this.person.finds(`${this.name} does not show ${url}, which it has saved`);
        }
        const others = saved.filter((one) => !one.includes(this.person.email));
        if (others.length > 0) {
          this.person.finds(`${this.name} shows ${others.join()} of another user`);
        }
      },
      () => PAUSE_MS,
    );
  }

  /** Returns true if the protocol shows only newer pages. A page that was saved while the clock was ahead stays new. */
  private async isOlder(url: string, shown: readonly string[]): Promise<boolean> {
    const times = new Map<string, number>();
    for (const item of (await asked(this.person)).changes.values()) {
      const { given_url: saved = '', time_added: added } = item as Readonly<Record<string, string>>;
      times.set(saved, Number(added));
    }
    const time = times.get(url) ?? Infinity;
    return shown.length >= this.mostShown && shown.every((one) => Number(times.get(one)) > time);
  }

  /** Returns the latest addresses in the person's list, in this protocol. */
  protected abstract saved(): Promise<string[]>;
  protected abstract save(url: string): Promise<void>;

  protected expectStatus(answer: Answer, ...statuses: number[]): Answer {
    if (!statuses.includes(answer.status)) {
      throw new Error(`${this.name}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
    }
    return answer;
  }
}

/** A wallabag app. */
class WallabagSaver extends Saver {
  readonly name = 'wallabag';
  private accessToken = '';
  issued = issuedDuring(new ClockWatch());

  private constructor(
    person: Person,
    private readonly keys: Readonly<Record<string, string>>,
  ) {
    super(person);
  }

  static async of(fleet: Fleet, person: Person): Promise<WallabagSaver> {
    const created = await fleet.command(
      'client create --name App --permissions retrieve,add --json',
    );
    const { client_id, client_secret } = JSON.parse(created) as Record<string, string>;
    const saver = new WallabagSaver(person, {
      client_id: client_id!,
      client_secret: client_secret!,
    });
    await saver.logIn();
    return saver;
  }

  async logIn(): Promise<void> {
    const clocks = this.person.watchClocks();
    const answer = await this.person.client.post('/wallabag/oauth/v2/token', {
      ...{ grant_type: 'password', username: this.person.email, password: PASSWORD },
      ...this.keys,
    });
    this.accessToken = jsonOf<{ access_token: string }>(
      this.expectStatus(answer, 200),
    ).access_token;
    this.issued = issuedDuring(clocks);
  }

  protected async saved(): Promise<string[]> {
    const path = '/wallabag/api/entries.json?perPage=10000&detail=metadata';
    const answer = await this.asked(() => this.person.client.get(path, this.proof));
    const { _embedded: list } = jsonOf<{ _embedded: { items: { given_url: string }[] } }>(
      this.expectStatus(answer, 200),
    );
    return list.items.map(({ given_url: url }) => url);
  }

  protected async save(url: string): Promise<void> {
    const { client } = this.person;
    const post = (): Promise<Answer> =>
      client.post('/wallabag/api/entries.json', { url }, this.proof);
    this.expectStatus(await this.asked(post), 200);
  }

  private asked(ask: () => Promise<Answer>): Promise<Answer> {
    return this.person.authorized(ask, this);
  }

  private get proof(): Record<string, string> {
    return { authorization: `Bearer ${this.accessToken}` };
  }
}

/** A browser without scripts. It reads the list as a feed. */
class BrowserSaver extends Saver {
  readonly name = 'browser';
  protected override readonly mostShown = LENGTH_OF_FEED;
  private feed = '';

  static async of(person: Person): Promise<BrowserSaver> {
    const saver = new BrowserSaver(person);
    saver.expectStatus(await saver.submit('/account/feeds', '/account/devices', {}), 303);
    const page = await person.client.get('/account/devices', saver.proof);
    saver.feed = /href="([^"]+\/unread\.json)"/.exec(page.body.toString())?.[1] ?? '';
    return saver;
  }

  protected async saved(): Promise<string[]> {
    const { pathname } = new URL(this.feed, this.person.scene.url);
    const answer = await this.person.client.get(pathname);
    const { items } = jsonOf<{ items: { url: string }[] }>(this.expectStatus(answer, 200));
    return items.map(({ url }) => url);
  }

  protected async save(url: string): Promise<void> {
    this.expectStatus(await this.submit('/save', '/save', { url }), 303);
  }

  private async submit(
    path: string,
    page: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const { body } = await this.person.client.get(page, this.proof);
    const token = /name="_csrf" value="([^"]+)"/.exec(body.toString())?.[1] ?? '';
    return this.person.client.submit(path, { ...fields, _csrf: token }, this.proof);
  }

  private get proof(): Record<string, string> {
    return { cookie: this.person.cookie, origin: this.person.scene.url };
  }
}

/** An e-reader that reads the catalog. The person saves with the reading-list API. */
class CatalogueSaver extends Saver {
  readonly name = 'e-reader';

  private constructor(
    person: Person,
    private readonly password: string,
  ) {
    super(person);
  }

  static async of(fleet: Fleet, person: Person): Promise<CatalogueSaver> {
    return new CatalogueSaver(
      person,
      await fleet.command(`user app-password create ${person.email}`),
    );
  }

  protected async saved(): Promise<string[]> {
    const login = Buffer.from(`${this.person.email}:${this.password}`).toString('base64');
    const found: string[] = [];
    let path: string | undefined = '/opds/unread';
    while (path !== undefined) {
      const answer: Answer = await this.person.client.get(path, {
        authorization: `Basic ${login}`,
      });
      const text = this.expectStatus(answer, 200).body.toString();
      found.push(
        ...[...text.matchAll(/<title>(https:[^<]+)<\/title>/g)].map(([, url]) => url ?? ''),
      );
      const next = /<link rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      path = next === undefined ? undefined : pathOf(new URL(next, this.person.scene.url));
    }
    return found;
  }

  protected async save(url: string): Promise<void> {
    await this.person.called('/v3/add', { url, title: url });
  }
}

const pathOf = ({ pathname, search }: URL): string => pathname + search;

/** One client of each protocol, each for its own person. */
export async function protocolClients(
  fleet: Fleet,
  signUp: () => Promise<Person>,
): Promise<ProtocolClient[]> {
  return [
    await WallabagSaver.of(fleet, await signUp()),
    await BrowserSaver.of(await signUp()),
    await CatalogueSaver.of(fleet, await signUp()),
  ];
}
