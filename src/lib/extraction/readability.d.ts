/**
 * Type declarations for the part of @mozilla/readability 0.6.0 that Satchel uses. The library's own
 * declarations depend on the browser types of TypeScript, which Satchel does not include.
 */
declare module '@mozilla/readability' {
  import type { DomDocument, DomElement } from 'linkedom';

  export class Readability {
    constructor(
      document: DomDocument,
      options: {
        keepClasses: boolean;
        disableJSONLD: boolean;
        allowedVideoRegex: RegExp;
        serializer: (element: DomElement) => DomElement;
      },
    );

    parse(): { readonly content?: DomElement | null; readonly byline?: string | null } | null;

    // Internal methods of Readability that check an element. `text/readable.ts` overrides them.
    protected _isProbablyVisible(element: DomElement): boolean;
    protected _isValidByline(element: DomElement, label: string): boolean;
    protected _isElementWithoutContent(element: DomElement): boolean;
    protected _fixRelativeUris(content: DomElement): void;
    protected _headerDuplicatesTitle(heading: DomElement): boolean;
    protected _cleanStyles(element: DomElement): void;
    protected _removeNodes(
      elements: readonly DomElement[],
      isRemoved?: (this: Readability, element: DomElement) => boolean,
    ): void;
  }
}
