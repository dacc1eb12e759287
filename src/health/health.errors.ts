import { DomainError } from '../common/domain.error.js';

export class NotReadyError extends DomainError {
  override readonly code = 'not_ready';
  override readonly retryAfterSeconds = 1;

  constructor(failing: readonly string[]) {
    super(`The service is not ready: ${failing.join(', ')}.`);
  }
}
