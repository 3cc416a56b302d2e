/** The parts of Chart.js the charts use, registered once; loaded when the first chart is shown. */
import {
  Chart,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  Tooltip,
} from 'chart.js';

Chart.register(LineController, LineElement, PointElement, LinearScale, LogarithmicScale, Tooltip);
Chart.defaults.font.family = '"Inter Variable", system-ui, sans-serif';
Chart.defaults.font.size = 11;
// Points are given as they are drawn.
Chart.defaults.parsing = false;
Chart.defaults.elements.point.hitRadius = 0;
// Pointing anywhere in a chart shows the point of that time.
Object.assign(Chart.defaults.interaction, { mode: 'nearest', axis: 'x', intersect: false });
Chart.defaults.plugins.tooltip.displayColors = false;
// On axes with a set range, a dot at the end of a line would otherwise be cut in half at the edge.
Chart.defaults.datasets.line.clip = 6;

export { Chart };
