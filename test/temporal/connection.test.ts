import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseTemporal, uiLink } from '../../src/temporal/connection.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-connection-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A home directory without any temporal.toml. */
const bare = () => ({
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  TEMPORAL_CONFIG_FILE: join(folder, 'none.toml'),
});

function toml(text: string): string {
  const path = join(folder, 'temporal.toml');
  writeFileSync(path, text);
  return path;
}

describe('chooseTemporal', () => {
  it('is embedded on the default ports when nothing is configured', () => {
    expect(chooseTemporal(bare())).toMatchObject({
      kind: 'embedded',
      address: '127.0.0.1:7233',
      uiPort: 8233,
      namespace: 'default',
    });
  });

  it('moves both ports of the embedded server together', () => {
    expect(chooseTemporal({ ...bare(), ASSAY_TEMPORAL_PORT: '17000' })).toMatchObject({
      port: 17_000,
      uiPort: 18_000,
    });
  });

  it.each(['0', 'http', '65000', '1.5'])('refuses %s as a port', (port) => {
    expect(() => chooseTemporal({ ...bare(), ASSAY_TEMPORAL_PORT: port })).toThrow(/ASSAY_TEMPORAL_PORT/);
  });

  it('takes TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE', () => {
    expect(chooseTemporal({ ...bare(), TEMPORAL_ADDRESS: 'h:7', TEMPORAL_NAMESPACE: 'n' })).toMatchObject({
      kind: 'configured',
      address: 'h:7',
      namespace: 'n',
    });
  });

  it.each([
    'http://localhost:7233',
    'a b',
    ':7233',
    '::1:7233',
    'host:0',
    'host:65536',
    'host:port',
    'h/ns',
    'h:1:2',
  ])('refuses %j as an address, at once and with an example', (address) => {
    expect(() => chooseTemporal({ ...bare(), TEMPORAL_ADDRESS: address })).toThrow(
      expect.objectContaining({
        code: 'temporal-address',
        message: expect.stringContaining(JSON.stringify(address)),
        fix: expect.stringContaining(':7233'),
      }),
    );
  });

  it('reads the host and port out of a URL for the user', () => {
    expect(() => chooseTemporal({ ...bare(), TEMPORAL_ADDRESS: 'https://t.example:443/x' })).toThrow(
      '(t.example:443?)',
    );
  });

  it.each(['localhost', '10.0.0.7:7233', '[::1]:7233', 'a-b.c_d.example:443'])('takes %s', (address) => {
    expect(chooseTemporal({ ...bare(), TEMPORAL_ADDRESS: address })).toMatchObject({ address });
  });

  it('takes the address of a profile in temporal.toml, with its key', () => {
    const path = toml('[profile.default]\naddress = "toml:7233"\nnamespace = "t"\napi_key = "k"\n');
    const choice = chooseTemporal({ ...bare(), TEMPORAL_CONFIG_FILE: path });
    expect(choice).toMatchObject({ kind: 'configured', address: 'toml:7233', namespace: 't' });
    expect(choice.connectionOptions).toMatchObject({ apiKey: 'k', tls: true });
  });

  it('stays embedded when a profile names no address, and uses nothing else of it', () => {
    const path = toml('[profile.default]\nnamespace = "t"\napi_key = "k"\n');
    const choice = chooseTemporal({ ...bare(), TEMPORAL_CONFIG_FILE: path });
    expect(choice).toMatchObject({ kind: 'embedded', namespace: 'default' });
    expect(choice.connectionOptions).toEqual({ address: '127.0.0.1:7233' });
  });

  it('says what is wrong with a profile that is not there', () => {
    const path = toml('[profile.default]\naddress = "a:1"\n');
    expect(() =>
      chooseTemporal({ ...bare(), TEMPORAL_CONFIG_FILE: path, TEMPORAL_PROFILE: 'other' }),
    ).toThrow(
      expect.objectContaining({ code: 'temporal-config', fix: expect.stringContaining('TEMPORAL_PROFILE') }),
    );
  });

  it('knows that localhost and 127.0.0.1 are one target', () => {
    const target = (address: string) => chooseTemporal({ ...bare(), TEMPORAL_ADDRESS: address }).target;
    expect(target('localhost:7233')).toBe(chooseTemporal(bare()).target);
    expect(target('127.0.0.1:7234')).not.toBe(chooseTemporal(bare()).target);
  });
});

describe('uiLink', () => {
  const choose = (address: string) => chooseTemporal({ ...bare(), TEMPORAL_ADDRESS: address });

  it('points at the embedded UI, with the id escaped', () => {
    expect(uiLink(chooseTemporal(bare()), 'a/b', {})).toBe(
      'http://127.0.0.1:8233/namespaces/default/workflows/a%2Fb',
    );
  });

  it('points at Temporal Cloud, and nowhere for a server whose UI nobody knows', () => {
    expect(uiLink(choose('x.y.tmprl.cloud:7233'), 'a', {})).toMatch(/^https:\/\/cloud\.temporal\.io\//);
    expect(uiLink(choose('temporal.internal:7233'), 'a', {})).toBeNull();
    expect(uiLink(choose('temporal.internal:7233'), 'a', { TEMPORAL_UI_URL: 'http://ui/' })).toBe(
      'http://ui/namespaces/default/workflows/a',
    );
  });
});
