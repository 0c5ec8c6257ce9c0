/** A setting as the broker has it. */
export interface BrokerSetting {
  /** null = unset. */
  readonly value: string | null;
  /** Altered in the running broker, not only at its start. */
  readonly isAltered: boolean;
}

const LINE = /^ {2}([\w.-]+)=(.*) sensitive=(true|false) synonyms=\{(.*)\}$/;

/**
 * `kafka-configs.sh --describe [--all]`: `  name=value sensitive=false synonyms={SOURCE:name=value, …}`, a value may
 * hold spaces and line ends. Sensitive values read null. The heading and lines of another shape are passed over.
 */
export function parseConfigs(stdout: string): ReadonlyMap<string, BrokerSetting> {
  const settings = new Map<string, BrokerSetting>();
  for (const line of entries(stdout)) {
    const match = LINE.exec(line);
    if (match === null) continue;
    const [, name = '', value = '', , synonyms = ''] = match;
    settings.set(name, {
      value: value === 'null' ? null : value,
      isAltered: synonyms.startsWith(`DYNAMIC_BROKER_CONFIG:${name}=`),
    });
  }
  return settings;
}

/** Lines, a value's own line ends joined to its first line. */
function entries(stdout: string): readonly string[] {
  return stdout
    .split(/\n(?= {2}[\w.-]+=|All configs|Dynamic configs|Default configs)/)
    .map((entry) => entry.trimEnd());
}

/** `a=1,b=[x,y]` for --add-config: a value with commas stands in brackets. */
export function addConfig(changes: readonly (readonly [string, string])[]): string {
  return changes.map(([name, value]) => `${name}=${value.includes(',') ? `[${value}]` : value}`).join(',');
}
