const FIRST_KEY = (key: string): string => `
This is the first start. Your first consumer key, with all permissions, is shown only now:

    ${key}
`;

const TRY_IT = (address: string, key: string): string => `
Try it:

    curl ${address}/register -H 'Content-Type: application/json' -d '{"name":"Ada","email":"ada@example.com","password":"a long pass phrase"}'
    TOKEN=$(curl -s ${address}/login -H 'Content-Type: application/json' -d '{"email":"ada@example.com","password":"a long pass phrase"}' | node -p 'JSON.parse(fs.readFileSync(0)).access_token')
    curl ${address}/v3/add -d consumer_key=${key} -d access_token=$TOKEN -d url=https://example.com/

The API is described at ${address}/docs
`;

/** What a person is told when the service is up; the key appears at the first start only. */
export function welcome(address: string, firstConsumerKey: string | undefined): string {
  const isUp = `Satchel listens on ${address}\n`;
  return firstConsumerKey === undefined
    ? isUp
    : [isUp, FIRST_KEY(firstConsumerKey), TRY_IT(address, firstConsumerKey)].join('');
}
