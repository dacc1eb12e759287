/**
 * Type declarations for the part of linkedom 0.18.12 that Satchel uses. The declarations in the
 * linkedom package depend on the browser types of TypeScript, which Satchel does not include.
 */
declare module 'linkedom' {
  export interface DomNode {
    readonly nodeType: number;
    readonly parentElement: DomElement | null;
    readonly firstChild: DomNode | null;
    readonly lastChild: DomNode | null;
    readonly previousSibling: DomNode | null;
    readonly nextSibling: DomNode | null;
    textContent: string | null;
    remove(): void;
    before(...nodes: (DomNode | string)[]): void;
    after(...nodes: (DomNode | string)[]): void;
    cloneNode(isDeep: boolean): DomNode;
    appendChild(node: DomNode): DomNode;
  }

  export interface DomElement extends DomNode {
    readonly localName: string;
    readonly ownerDocument: DomDocument;
    readonly children: Iterable<DomElement>;
    readonly firstElementChild: DomElement | null;
    readonly previousElementSibling: DomElement | null;
    readonly nextElementSibling: DomElement | null;
    readonly previousElementSibling: DomElement | null;
    innerHTML: string;
    readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
    getAttribute(name: string): string | null;
    getAttributeNode(name: string): { readonly value: string } | null;
    setAttribute(name: string, value: string): void;
    prepend(...nodes: (DomNode | string)[]): void;
    replaceWith(...nodes: (DomNode | string)[]): void;
    replaceChildren(...nodes: (DomNode | string)[]): void;
    removeAttribute(name: string): void;
    hasAttribute(name: string): boolean;
    contains(other: DomNode): boolean;
    closest(selector: string): DomElement | null;
    querySelector(selector: string): DomElement | null;
    querySelectorAll(selector: string): Iterable<DomElement>;
  }

  export interface DomDocument {
    readonly body: DomElement;
    title: string;
    createElement(name: string): DomElement;
    createTextNode(text: string): DomNode;
    toString(): string;
  }

  /** A document that is serialised as XML. */
  export interface XmlDocument {
    createElement(name: string): XmlElement;
    createTextNode(text: string): DomNode;
  }

  export type XmlElement = DomElement;

  export class DOMParser {
    parseFromString(markup: string, mimeType: 'text/xml'): XmlDocument;
  }

  export function parseHTML(html: string): { readonly document: DomDocument };
}
