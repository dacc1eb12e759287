/** What is used of linkedom 0.18.12, whose own declarations ask for the types of a browser. */
declare module 'linkedom' {
  import type { DomDocument } from './dom.js';

  export function parseHTML(html: string): { readonly document: DomDocument };
}
