import type { Person } from './person.js';

/** Saves pages without a retry, and records which saves were acknowledged. */
export class Knocker {
  /** The addresses of the acknowledged saves. */
  readonly acknowledged: string[] = [];
  private knocks = 0;

  constructor(readonly person: Person) {}

  async knock(): Promise<{ readonly status: number; readonly text: string }> {
    this.knocks += 1;
    const url = `https://knock.example/${this.knocks}/${'x'.repeat(2000)}`;
    const response = await fetch(`${this.person.scene.url}/v3/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...this.person.credentials, url }),
    });
    const text = await response.text();
    if (response.status === 200) {
      this.acknowledged.push(url);
    }
    return { status: response.status, text };
  }
}
