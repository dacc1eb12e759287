const FIRST_KEY = (key: string): string => `
This is the first start. Your first consumer key, with all permissions, is shown only now:

    ${key}
`;

const TRY_IT = (address: string): string => `
Try it:

    curl ${address}/register -H 'Content-Type: application/json' -d '{"name":"Ada","email":"ada@example.com","password":"a long pass phrase"}'
    curl ${address}/login -c cookies.txt -H 'Content-Type: application/json' -d '{"email":"ada@example.com","password":"a long pass phrase"}'
    curl ${address}/login -b cookies.txt -X POST
`;

/** What a person is told when the service is up; the key appears at the first start only. */
export function welcome(address: string, firstConsumerKey: string | undefined): string {
  const isUp = `Satchel listens on ${address}\n`;
  return firstConsumerKey === undefined
    ? isUp
    : [isUp, FIRST_KEY(firstConsumerKey), TRY_IT(address)].join('');
}
