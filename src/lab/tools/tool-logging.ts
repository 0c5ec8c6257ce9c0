/** Logging of Kafka's tools, for log4j 2: warnings go to stderr, so that stdout stays parseable. */
export const TOOL_LOGGING = `rootLogger.level = WARN
rootLogger.appenderRef.err.ref = ERR
appender.err.type = Console
appender.err.name = ERR
appender.err.target = SYSTEM_ERR
appender.err.layout.type = PatternLayout
appender.err.layout.pattern = [%d{yyyy-MM-dd HH:mm:ss,SSS}] %p %m (%c)%n
`;
