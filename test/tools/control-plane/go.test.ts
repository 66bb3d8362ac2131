import { expect, test } from '@jest/globals';
import { requireGo } from '../../../tools/control-plane/go.ts';
import { goModule } from '../../../tools/control-plane/versions.ts';

const newest = goModule({});
const saying = (text: string, module = newest) => requireGo(async () => text, module);

test.each(['go version go1.26.0 linux/amd64', 'go version go1.30rc1 darwin/arm64', 'go version go2.0 linux/amd64'])(
  '"%s" is new enough',
  async (text) => {
    await expect(saying(text)).resolves.toBeUndefined();
  },
);

test('a Go that is too old is named', async () => {
  await expect(saying('go version go1.9.7 linux/amd64')).rejects.toThrow(
    /Go >= 1\.26 is needed .*, found (go)?1\.9[^:]*: install it/,
  );
});

test('without Go the message says what else can be done', async () => {
  await expect(saying('')).rejects.toThrow(
    /found none: install it, or set KUBEBUILDER_ASSETS .* or LONGSHORE_KUBECONFIG/,
  );
});

test('an older Kubernetes is built by an older Go', async () => {
  const module = goModule({ LONGSHORE_TEST_KUBERNETES: '1.33' });
  await expect(saying('go version go1.24.0 linux/amd64', module)).resolves.toBeUndefined();
  await expect(saying('go version go1.24.0 linux/amd64')).rejects.toThrow('Go >= 1.26 is needed');
});
