import type { ContentObject, ExamplesObject, ResponseObject } from 'openapi3-ts/oas31';

import type { Operation } from '../common/openapi/operation.js';
import { errorAnswers } from './error-answers.js';
import { headersOfAll } from './headers.js';

/** Everything that an endpoint answers, by status. */
export const answersOf = (operation: Operation): [status: number, ResponseObject][] => [
  [operation.answer.status, success(operation)],
  ...errorAnswers(operation.errors, operation.dialect),
];

function success(operation: Operation): ResponseObject {
  const { description, headers, content } = operation.answer;
  return {
    description,
    headers: { ...headersOfAll(operation.dialect), ...headers },
    ...(content && { content: withExamples(content, examplesOf(operation)) }),
  };
}

/** The examples of answers are objects. */
const JSON_TYPE = 'application/json';

const withExamples = (
  content: NonNullable<Operation['answer']['content']>,
  examples: ExamplesObject,
): ContentObject =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      {
        schema,
        ...(type === JSON_TYPE && Object.keys(examples).length > 0 && { examples }),
      },
    ]),
  );

/** The answer of each call that can be sent has the name of the call; an answer to no members has its own. */
function examplesOf({ id, request, answer }: Operation): ExamplesObject {
  const examples: ExamplesObject = {};
  for (const [name, call] of Object.entries(request?.examples ?? {})) {
    if (call.answer !== undefined) {
      examples[`${id}.${name}`] = { summary: call.summary, value: call.answer };
    }
  }
  return answer.example === undefined ? examples : { [id]: { value: answer.example } };
}
