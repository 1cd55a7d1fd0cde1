// Pieces that made-up companies, products and mail domains are built from.
import { toList } from './to-list.js';

export const COMPANY_STARTS = toList(`
Alder Amber Anchor Apex Arbor Argo Aster Atlas Auro Aven Bay Beacon Birch Blue Bold Bramble Bright Briar Brook Cedar
Chalk Cinder Clear Clover Cobalt Comet Copper Coral Crest Crisp Dawn Delta Drift Dune Eager East Echo Elder Ember Ever
Fair Falcon Fern Finch Fir Flint Forge Fox Frost Garnet Glade Gold Grand Granite Green Gull Harbor Hazel Hearth Heron
High Hollow Honey Indigo Iron Ivory Jade Juniper Keen Kestrel Kind Lantern Larch Lark Laurel Lime Linden Little Lumen
Lunar Maple Marble Marsh Meadow Mint Moss Nimble North Nova Oak Ochre Olive Onyx Opal Orchard Otter Owl Pebble Pine
Pioneer Plum Polar Prairie Prime Quartz Quick Quiet Quill Rain Raven Red Reed River Robin Rose Rowan Ruby Rush Saffron
Sage Salt Sand Scarlet Shore Silver Sky Slate Snow Solar South Spark Spruce Star Stone Storm Summer Summit Sun Swift
Teal Terra Thistle Thorn Tidal Timber Topaz Trail True Umber Upper Vale Velvet Vine Vista Warm West Whit Wild Willow
Winter Wren Yarrow Yellow Zephyr
`);

export const COMPANY_MIDDLES = toList(`
arc beam bell berg bird bloom bow branch bridge brook burst cliff craft crest crown dale den drop edge fall feather field
fire fold ford forge gate glen grove hall haven helm hill hive house lake land lane leaf light line lock mark mead mere
mill mont moon mount nest path peak pine point pond port post rail reef ridge rise rock root seed shade shell ship side
smith song spring stead stem step stone stream tide tower tree vale view wave way well wharf wheel wing wood works yard
`);

export const COMPANY_KINDS = toList(`
Analytics, Appliances, Apparel, Audio, Bakery, Bank, Bicycles, Books, Brewing, Broadband, Cameras, Capital, Care,
Catering, Ceramics, Clinic, Clothing, Cloud, Coffee, Consulting, Cosmetics, Couriers, Cycles, Dairy, Data, Dental,
Design, Digital, Direct, Electric, Electronics, Energy, Engineering, Farms, Fashion, Finance, Fitness, Flooring,
Flowers, Foods, Footwear, Freight, Furniture, Games, Gardens, Glass, Goods, Group, Hardware, Health, Heating, Home,
Hotels, Insurance, Interiors, Kitchens, Labs, Leather, Legal, Lighting, Linen, Logistics, Marine, Market, Media,
Medical, Mobile, Mobility, Motors, Music, Networks, Optics, Outdoors, Outfitters, Packaging, Paints, Paper, Partners,
Payments, Pets, Pharmacy, Plumbing, Post, Press, Print, Properties, Rail, Records, Recycling, Rentals, Repairs,
Robotics, Roofing, Seeds, Security, Services, Shipping, Soap, Software, Solar, Solutions, Sports, Stationery, Storage,
Studio, Supplies, Supply, Systems, Tableware, Tea, Telecom, Textiles, Tiles, Timber, Tools, Toys, Trading, Transport,
Travel, Utilities, Ventures, Water, Wellness, Wines, Wireless, Workshop
`);

export const COMPANY_FORMS = toList('Ltd Inc GmbH LLC Co BV AG Oy AB SA');

export const PRODUCT_KINDS = toList(`
Adapter, Air Fryer, Alarm, Amplifier, Backpack, Battery, Bed, Bicycle, Bike, Blanket, Blender, Bookcase, Boots, Bottle,
Bracelet, Breadmaker, Cabinet, Cable, Camera, Candle, Carrier, Case, Chair, Charger, Clock, Coat, Coffee Maker, Cooker,
Cushion, Dehumidifier, Desk, Dishwasher, Doorbell, Drill, Drone, Dryer, Duvet, Earbuds, E-Reader, Fan, Freezer, Fridge,
Glasses, Gloves, Grill, Grinder, Guitar, Hammock, Headphones, Heater, Helmet, Hoodie, Hub, Humidifier, Iron, Jacket,
Juicer, Kayak, Kettle, Keyboard, Knife Set, Ladder, Lamp, Laptop, Lens, Light, Lock, Mat, Mattress, Microphone,
Microwave, Mirror, Mixer, Monitor, Mouse, Mower, Mug, Oven, Pan, Pillow, Planter, Player, Power Bank, Pressure Cooker,
Printer, Projector, Pump, Purifier, Radio, Razor, Remote, Router, Rug, Sander, Saw, Scale, Scanner, Scooter, Screen,
Shelf, Shoes, Shower, Skates, Sleeping Bag, Sofa, Speaker, Stool, Stove, Stroller, Suitcase, Switch, Table, Tablet,
Teapot, Telescope, Tent, Thermostat, Toaster, Toothbrush, Torch, Tracker, Treadmill, Trimmer, Tripod, Trolley, Umbrella,
Vacuum, Wallet, Wardrobe, Washer, Watch, Webcam
`);

export const PRODUCT_LINES = toList(`
Air Active Base Classic Compact Deluxe Duo Eco Edge Essential Flex Go Home Lite Max Mini Nano One Plus Pocket Prime Pro
Pure Quiet Select Smart Solo Sport Studio Super Touch Travel Turbo Twin Ultra
`);

export const MAIL_WORDS = toList(`
mail post inbox letters mailbox webmail fastmail homebox paperplane pigeon courier envelope dispatch parcel office team
studio shop store works hub cloud net online digital connect link direct home family garden valley harbor river coast
forest island metro city town village campus college clinic labs press media group trade supply tools craft design
`);

/** Reserved for examples: no such address reaches anybody. */
export const MAIL_ENDINGS = toList('.example .test .example.com .example.org .example.net .invalid');
