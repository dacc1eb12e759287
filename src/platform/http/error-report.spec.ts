import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';

import { MethodNotAllowedError, TooManyRequestsError } from '../common/common.errors.js';
import { ERROR_CATALOGUE, type ErrorCode } from '../common/error.catalogue.js';
import { NoConnectionError } from '../database/database.errors.js';
import { errorReportOf } from './error-report.js';

const SECRET = 'hunter2';

/** Creates an error like those of pg. `queryError` wraps it as TypeORM does. */
const driverError = (code: string, text = SECRET): Error =>
  Object.assign(new Error(text), { code });
const queryError = (code: string): Error =>
  new QueryFailedError(`SELECT ${SECRET}`, [SECRET], driverError(code));
/** Creates an error like those of Express middleware. */
const middlewareError = (status: unknown): Error =>
  Object.assign(new Error(SECRET), { status, statusCode: status });

describe('errorReportOf', () => {
  it('gives a refusal of ours as it is', () => {
    const error = new TooManyRequestsError(7);

    expect(errorReportOf(error)).toMatchObject({
      code: 'too_many_requests',
      message: 'Too many attempts: try again in 7 seconds.',
      retryAfterSeconds: 7,
    });
    expect(errorReportOf(new MethodNotAllowedError('PUT')).code).toBe('method_not_allowed');
  });

  it.each([
    ...['08000', '08003', '08006', '53100', '53200', '53300', '57014', '57P01', '57P03'],
    ...['0A000', '25006', '3D000', '28000', '28P01', '55000'],
  ])('calls SQLSTATE %s an absent database', (state) => {
    expect(errorReportOf(queryError(state)).code).toBe('database_unavailable');
    expect(errorReportOf(driverError(state)).code).toBe('database_unavailable');
  });

  it.each([
    ['XX000', 'postmaster was shut down, exiting'],
    ['XX000', 'terminating connection due to unexpected postmaster exit'],
    ['XX000', 'server closed the connection unexpectedly'],
    ['XX000', 'could not receive data from server: Connection reset by peer'],
    ['58030', 'failed to COPY to shard 102057 on db-2:5432'],
  ])('calls a server that stops during a change (%s, %s) an absent database', (state, text) => {
    expect(errorReportOf(driverError(state, text)).code).toBe('database_unavailable');
    expect(errorReportOf(driverError(state)).code).toBe('internal_error');
  });

  it.each(['25P03', '40001', '40P01', '55P03'])('calls SQLSTATE %s a busy service', (state) => {
    expect(errorReportOf(queryError(state))).toMatchObject({
      code: 'service_busy',
      retryAfterSeconds: 1,
    });
  });

  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND'],
    ...['EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  ])('calls %s an absent database when it is the database that fails so', (code) => {
    expect(errorReportOf(queryError(code)).code).toBe('database_unavailable');
    expect(errorReportOf(new NoConnectionError(driverError(code))).code).toBe(
      'database_unavailable',
    );
    expect(errorReportOf(driverError(code)).code).toBe('internal_error');
  });

  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('calls "%s" an absent database', (text) => {
    expect(errorReportOf(new Error(text)).code).toBe('database_unavailable');
  });

  it('tells when to come back to an absent database', () => {
    expect(errorReportOf(queryError('57P01')).retryAfterSeconds).toBe(1);
  });

  it.each(['22003', '22021', '22P02', '22P05', '54000'])(
    'calls SQLSTATE %s of a query a value that cannot be stored',
    (state) => {
      expect(errorReportOf(queryError(state)).code).toBe('invalid_value');
    },
  );

  it.each(['23505', '23503', '23514', '42P01', '42601', '25P02', 'XX000', ''])(
    'calls SQLSTATE %j a failure of the service',
    (state) => {
      expect(errorReportOf(queryError(state)).code).toBe('internal_error');
    },
  );

  it('says of a path that cannot be decoded nothing of a body', () => {
    const error = Object.assign(new URIError(SECRET), { status: 400 });

    expect(errorReportOf(error)).toEqual({
      code: 'bad_request',
      message: 'The request is malformed.',
    });
  });

  it.each<[number, ErrorCode]>([
    [400, 'malformed_body'],
    [404, 'not_found'],
    [413, 'body_too_large'],
    [415, 'unsupported_media_type'],
    [408, 'bad_request'],
    [431, 'bad_request'],
    [499, 'bad_request'],
    [500, 'internal_error'],
    [503, 'internal_error'],
    [302, 'internal_error'],
    [0, 'internal_error'],
  ])('calls the status %d of a middleware %s', (status, code) => {
    expect(errorReportOf(middlewareError(status)).code).toBe(code);
    expect(errorReportOf(new HttpException(SECRET, status)).code).toBe(code);
  });

  it.each([undefined, null, 'text', 0, {}, { code: 'not_found' }, { status: 404 }, new Error('x')])(
    'calls %j a failure of the service',
    (thrown) => {
      expect(errorReportOf(thrown).code).toBe('internal_error');
    },
  );

  it('does not take a status that is no number', () => {
    expect(errorReportOf(middlewareError('404')).code).toBe('internal_error');
    expect(errorReportOf(middlewareError(NaN)).code).not.toBe('not_found');
  });

  it.each([
    ['of a query', queryError('23505')],
    ['of an absent database', queryError('57P01')],
    ['of a value', queryError('22021')],
    ['of a middleware', middlewareError(400)],
    ['of Nest', new BadRequestException(SECRET)],
    ['of an unknown route', new NotFoundException(`Cannot GET /${SECRET}`)],
    ['unknown', new Error(SECRET)],
  ])('tells the client nothing of an error %s', (_, error) => {
    expect(JSON.stringify(errorReportOf(error))).not.toContain(SECRET);
  });
});

describe('the catalogue of errors', () => {
  it('has a sentence of its own for each code that is no class of ours', () => {
    const foreign = [404, 413, 415, 408, 400].map((status) =>
      errorReportOf(middlewareError(status)),
    );

    expect(foreign.map(({ message }) => message)).toEqual(
      foreign.map(() => expect.not.stringMatching('The service failed')),
    );
  });

  it('has statuses that are errors', () => {
    const statuses = Object.values(ERROR_CATALOGUE).map(({ status }) => status);

    expect(statuses.filter((status) => status < 400 || status > 507)).toEqual([]);
  });
});
