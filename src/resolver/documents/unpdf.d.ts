// Its own declarations do not resolve under NodeNext; these are the parts that are used here.
declare module 'unpdf' {
  export interface TextContent {
    readonly items: readonly ({ readonly str: string; readonly height: number } | object)[];
  }

  export interface Pdf {
    getMetadata(): Promise<{
      readonly info: object;
      readonly metadata: { get(name: string): unknown } | null;
    }>;
    getPage(number: number): Promise<{ getTextContent(): Promise<TextContent> }>;
    destroy(): Promise<void>;
  }

  export function getDocumentProxy(
    data: Uint8Array,
    options: Readonly<Record<string, unknown>>,
  ): Promise<Pdf>;
}
