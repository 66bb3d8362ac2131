import { expect, test } from '@jest/globals';
import { prometheusTotals } from '../../../cli/run/prometheus-totals.ts';
import { MeasuredTotals } from '../../../lib/runtime/measured-totals.ts';

test('measurements are summed up by their dimensions', () => {
  const totals = new MeasuredTotals();
  expect(prometheusTotals(totals)).toBe('');
  const dimensions = { Cluster: 'main', Function: 'match-claim' };
  const other = { Function: 'other', Cluster: 'main' };
  totals.add({ name: 'MessagesGivenUp', unit: 'Count', value: 1, dimensions });
  totals.add({ name: 'MessageAge', unit: 'Milliseconds', value: [20, 30], dimensions });
  totals.add({ name: 'MessagesGivenUp', unit: 'Count', value: 0, dimensions: other });
  totals.add({ name: 'MessagesGivenUp', unit: 'Count', value: [1, 1], dimensions });
  const name = 'cross_namespace_persistentvolumeclaim_provision_total';
  totals.add({ name, unit: 'Count', value: 4, dimensions: {} });
  expect(prometheusTotals(totals)).toBe(`# TYPE longshore_messages_given_up_total counter
longshore_messages_given_up_total{cluster="main",function="match-claim"} 3
longshore_messages_given_up_total{function="other",cluster="main"} 0
# TYPE longshore_message_age_milliseconds summary
longshore_message_age_milliseconds_sum{cluster="main",function="match-claim"} 50
longshore_message_age_milliseconds_count{cluster="main",function="match-claim"} 2
# TYPE ${name} counter
${name} 4
`);
});
