// The header of every view: the identity, the cloud's state, the four tabs, and what to do while the cloud is
// away.
import { Box } from 'ink';
import {
  awayNotice,
  CLOUD_LINK_TEXT,
  type CloudLink,
  displayWidth,
  identityLine,
  isAway,
  linkWithIdentity,
  SHORT_LINK_TEXT,
  type Style,
  TABS,
  tabBar,
} from '../../../lib/console/index.js';
import { Clickable } from '../components/clickable.js';
import { Line, Text } from '../components/text.js';
import { Problem } from '../components/words.js';
import { useShell } from '../dashboard-context.js';
import { useKeymap } from '../keys/commands.js';
import { useGlyphs, useRoom } from '../terminal/look.js';

export function TitleBar() {
  const { identity, identityProblem, link } = useShell();
  const { width } = useRoom();
  const name = identity ? identityLine(identity) : '…';
  return (
    <Box height={1} flexShrink={0}>
      <Box flexGrow={1} flexShrink={1}>
        <Line>
          <Text bold inverse>
            {' svc '}
          </Text>
          {identityProblem ? <Text tone="failed"> identity unknown</Text> : <Text>{` ${name}`}</Text>}
        </Line>
      </Box>
      <LinkState
        link={identity ? linkWithIdentity(link) : link}
        room={width - displayWidth(` svc  ${name} `)}
      />
    </Box>
  );
}

/** The link's glyph, and as much of its text as leaves room for the whole identity. */
function LinkState({ link, room }: { link: CloudLink; room: number }) {
  const { on, off, status } = useGlyphs();
  const [sign, style]: [string, Style] = isAway(link)
    ? [status.failed, { tone: 'failed' }]
    : link === 'up'
      ? [on, { tone: 'completed' }]
      : [off, { dim: true }];
  const texts = [CLOUD_LINK_TEXT[link], SHORT_LINK_TEXT[link]].map(text => `${sign} ${text}`);
  const words = texts.find(text => displayWidth(text) + 2 <= room) ?? (isAway(link) ? texts[1]! : sign);
  return (
    <Line width={displayWidth(words) + 2}>
      <Text {...style}>{` ${words} `}</Text>
    </Line>
  );
}

export function TabBar({ studioUrl }: { studioUrl: string | null }) {
  const { location } = useShell();
  const { width } = useRoom();
  const keymap = useKeymap();
  const { labels, address } = tabBar(location.tab, studioUrl, width);
  return (
    <Box height={1} flexShrink={0} justifyContent="space-between" paddingX={1}>
      <Box>
        {TABS.map(({ tab, label }, index) => (
          <Clickable key={tab} onClick={() => keymap.run(`show${label}`)}>
            <Line bold={tab === location.tab} inverse={tab === location.tab}>
              {labels[index]}
            </Line>
            <Line> </Line>
          </Clickable>
        ))}
      </Box>
      {address !== undefined && <Line dim>{address}</Line>}
    </Box>
  );
}

/** Shown while the cloud or Studio is away: what happened, and what to do. Views do not repeat it. */
export function AwayNotice({ limit }: { limit: number }) {
  const { link, linkProblem } = useShell();
  return <Problem text={awayNotice(link, linkProblem)} limit={limit} />;
}
