/**
 * Checks that docs/exchange-habits.md matches the table of habits. After a change: `vitest run
 * tests/practice/habits-page.test.ts --update`.
 */
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { HABIT_NAMES, HABITS, type Habit, type HabitName } from '../../src-practice/habits.ts';
import { NOT_YET_SUPPORTED } from '../session/habit-sets.ts';

const PAGE = new URL('../../docs/exchange-habits.md', import.meta.url).pathname;

const LEGEND = ' **Not supported yet** marks values Ballast cannot work with today.';
const INTRODUCTION = `# Habits of an exchange

The exchange API leaves much open: page numbers, digits, names, error bodies and more. This page lists each open question
with the line of the API that leaves it open, the values the practice exchange can take, and how Ballast answers it.

Tick what your exchange does. “In Ballast” names the setting of the connection that answers the question, where there is
one. The value in bold is the default of the practice exchange.${Object.keys(NOT_YET_SUPPORTED).length === 0 ? '' : LEGEND}

To try a value on the practice exchange: Settings › Connections › Practice › Exchange habits; or
\`npm run practice -- --habit NAME=VALUE\`.
`;

function section(name: HabitName): string {
  const { meaning, line, values, preset, range, setting, handling }: Habit = HABITS[name];
  const rows = Object.entries(values).map(([value, does]) => {
    const mark = value === preset ? `**\`${value}\`**` : `\`${value}\``;
    const missing = NOT_YET_SUPPORTED[name]?.includes(value) === true ? ' **Not supported yet.**' : '';
    return `- [ ] ${mark}: ${does}${missing}`;
  });
  if (range) rows.push(`- [ ] Another whole number from ${range[0]} to ${range[1]}.`);
  return `### \`${name}\`\n\n${meaning}\n\n> ${line}\n\n${rows.join('\n')}\n\nIn Ballast: ${setting === undefined ? 'nothing to set' : `**${setting}**`}. ${handling}\n`;
}

async function page(): Promise<string> {
  const groups = [...new Set(HABIT_NAMES.map((name) => HABITS[name].group))];
  const sections = groups.map((group) => {
    const names = HABIT_NAMES.filter((name) => HABITS[name].group === group);
    return `## ${group}\n\n${names.map(section).join('\n')}`;
  });
  const config = await resolveConfig(PAGE);
  return format(`${INTRODUCTION}\n${sections.join('\n')}`, { ...config, parser: 'markdown' });
}

it('docs/exchange-habits.md matches the table of habits', async () => {
  await expect(await page()).toMatchFileSnapshot(PAGE);
});
