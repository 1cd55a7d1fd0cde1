// Pieces of street names.
import { toList } from './to-list.js';

export const STREET_NAMES = toList(`
Abbey Acacia Albion Alder Almond Anchor Apple Arbor Ash Aspen Autumn Baker Balmoral Bank Barn Bay Beacon Bedford Beech
Birch Bishop Blackthorn Bluebell Bramble Bridge Broad Brook Burnside Butcher Canal Carlton Castle Cathedral Cedar Chapel
Charlotte Cherry Chestnut Church Clarence Cliff Clover College Copper Coral Cottage Cross Crown Cypress Dale Derby Dove
Duke Eagle Elder Elm Factory Fairview Falcon Farm Fern Ferry Field Fir Forge Fountain Fox Garden George Glebe Granary
Granite Grange Green Grove Harbour Harvest Hawthorn Hazel Heath Heather Heron High Hill Holly Hope Ivy Jubilee Juniper
Kestrel Kiln King Lake Lantern Larch Laurel Lavender Lilac Lime Linden Lodge Long Magnolia Main Manor Maple Market
Marsh Meadow Mill Mint Monument Moor Mulberry Myrtle New Nightingale North Oak Olive Orchard Otter Park Peach Pear
Pepper Pine Poplar Prince Priory Quarry Quay Queen Railway Raven Rectory Regent Ridge River Robin Rose Rowan Sable
Saddler School Sea Shore Silver Sparrow Spring Spruce Station Stone Summer Sunset Swan Sycamore Tanner Temple Thistle
Thorn Tower Union Valley Vicarage Victoria View Vine Violet Walnut Warren Water Weaver Well West Willow Wood Wren Yew
`);

export const STREET_KINDS = toList(`
Street Road Avenue Lane Drive Court Close Way Place Crescent Terrace Boulevard Row Square Gardens Walk Hill Parade
`);

/** Streets whose house number comes last, as in "Lindenweg 12". */
export const STREET_STEMS = toList(`
Ahorn Bach Bahnhof Berg Birken Blumen Brunnen Buchen Burg Damm Dorf Eichen Erlen Feld Fichten Garten Garben Gold Hafen
Haupt Hof Insel Kastanien Kirch König Kloster Linden Markt Mühlen Nelken Park Post Ring Rosen Schiller Schloss Schul
See Sonnen Stein Tal Tannen Ufer Ulmen Vogel Wald Wasser Weiden Wiesen Winkel
`);

export const STREET_SUFFIXES = toList('straße weg gasse allee platz ring damm ufer');
