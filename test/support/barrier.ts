interface Gate {
  opened: Promise<void>;
  open: () => void;
}

export function aGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Returns a barrier that opens when `parties` callers have arrived. It stays open. */
export function aBarrier(parties: number): () => Promise<void> {
  const gate = aGate();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived >= parties) {
      gate.open();
    }
    return gate.opened;
  };
}
