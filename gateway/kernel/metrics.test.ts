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
  const page = (await buildMetricsApp([edge, manage]).inject('/metrics')).body
  expect(page).toContain('edge_http_requests_total{method="GET",route="/order/list",code="401"} 1')
  expect(page).toContain(
    'manage_http_requests_total{method="GET",route="/order/list",code="200"} 1',
  )
  expect(page).toContain('process_resident_memory_bytes')
  expect(page).toContain('live_sockets_cut_total{reason="slow"} 1')
})
