/** A configuration that the service cannot start with; the message has one line for each fault. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(['The configuration has faults:', ...faults.map((fault) => `  ${fault}`)].join('\n'));
  }
}
