// Events with a date and time: appointments, meetings and other events.
import { readTexts } from '../../../texts.js';
import { toTheme } from '../theme.js';
import data from './calendar.json' with { type: 'json' };

const texts = readTexts(data);

export const appointment = toTheme(texts.appointment);
export const meeting = toTheme(texts.meeting);
export const event = toTheme(texts.event);
