interface Headline {
  readonly title: string;
  readonly url: string;
  /** A tag, or an empty text. */
  readonly tags: string;
}

/** Returns pages whose titles and addresses are as varied as those of a real list, so they do not compress too well. */
export declare const headlines: (count: number) => readonly Headline[];
