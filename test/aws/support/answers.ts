import type { Fault } from './fault-proxy.ts';

/* Answers of AWS that moto never gives. */

const JSON_TYPE = 'application/x-amz-json-1.0';

/** A page of GetMetricData. Times in seconds, as the protocol has them. */
export function metricPage(
  results: readonly {
    readonly Id: string;
    readonly Timestamps: readonly number[];
    readonly Values: readonly number[];
    readonly StatusCode: string;
  }[],
  more: { readonly NextToken?: string; readonly Messages?: readonly unknown[] } = {},
): Fault {
  const body = JSON.stringify({ MetricDataResults: results, Messages: [], ...more });
  return { kind: 'answer', status: 200, type: JSON_TYPE, body };
}

/** An error of a service with the AWS JSON protocol. */
export function jsonError(type: string, status = 400, message = type): Fault {
  const body = JSON.stringify({ __type: `com.amazonaws.cloudwatch#${type}`, message });
  return { kind: 'answer', status, type: JSON_TYPE, body };
}

/** An error of EC2. */
export function ec2Error(code: string, message: string, status = 400): Fault {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>1</RequestID></Response>`;
  return { kind: 'answer', status, type: 'text/xml', body };
}

/** An error of S3. */
export function s3Error(code: string, status: number): Fault {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}, please</Message><RequestId>1</RequestId></Error>`;
  return { kind: 'answer', status, type: 'application/xml', body };
}

/** What a web server says that has crashed. */
export const HTML_500: Fault = {
  kind: 'answer',
  status: 500,
  type: 'text/html',
  body: '<!doctype html><html lang=en><title>500 Internal Server Error</title><h1>Internal Server Error</h1>',
};
