/** A command line with the environment it needs beyond what a capsule passes. */
export interface Command {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Numbers in the tools' output follow the JVM's locale: English everywhere. JVM warnings never go to stdout. */
export const COMMON_JVM_FLAGS: readonly string[] = [
  '-Duser.language=en',
  '-Duser.country=US',
  '-Dfile.encoding=UTF-8',
  '-Djava.awt.headless=true',
  '-Xlog:disable',
  '-Xlog:all=error:stderr',
];
