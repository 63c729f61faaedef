import { expect, test } from 'vitest'
import {
  buildMetricsApp,
  createRegistry,
  httpMetrics,
  liveMetrics,
} from '#gateway/kernel/metrics.ts'

test('the metrics of both parts are shown on one page', async () => {
  const edge = createRegistry({ process: true })
  const manage = createRegistry()
  httpMetrics(edge, 'edge').observe('GET', '/order/list', 401, 0.01)
  httpMetrics(manage, 'manage').observe('GET', '/order/list', 200, 0.01)
  liveMetrics(edge).cut.inc({ reason: 'slow' })
  const version = { version: '1.0.0', commit: 'abc', build: 'b1' }
  const internal = buildMetricsApp([edge, manage], version)
  const page = (await internal.inject('/metrics')).body
  expect((await internal.inject('/healthz')).json()).toEqual({ status: 'ok', ...version })
  expect(page).toContain('edge_http_requests_total{method="GET",route="/order/list",code="401"} 1')
  expect(page).toContain(
    'manage_http_requests_total{method="GET",route="/order/list",code="200"} 1',
  )
  expect(page).toContain('process_resident_memory_bytes')
  expect(page).toContain('live_sockets_cut_total{reason="slow"} 1')
})
