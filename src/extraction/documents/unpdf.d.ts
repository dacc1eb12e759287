// Its own declarations do not resolve under NodeNext; these are the parts that are used here.
declare module 'unpdf' {
  export interface TextContent {
    readonly items: readonly (
      { readonly str: string; readonly height: number; readonly hasEOL: boolean } | object
    )[];
  }

  export interface PdfPage {
    streamTextContent(): ReadableStream<TextContent>;
    cleanup(): boolean;
  }

  export interface Pdf {
    /** As it claims. */
    readonly numPages: number;
    getMetadata(): Promise<{
      readonly info: object;
      readonly metadata: { get(name: string): unknown } | null;
    }>;
    getPage(number: number): Promise<PdfPage>;
    destroy(): Promise<void>;
  }

  export function getDocumentProxy(
    data: Uint8Array,
    options: Readonly<Record<string, unknown>>,
  ): Promise<Pdf>;
}
