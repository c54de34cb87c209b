/** Which schema.org types describe a local business, by the hierarchy of schema.org (release 28). */

const TYPES = `
  AccountingService AdultEntertainment AmusementPark AnimalShelter ArchiveOrganization ArtGallery Attorney
  AutoBodyShop AutoDealer AutoPartsStore AutoRental AutoRepair AutoWash AutomatedTeller AutomotiveBusiness Bakery
  BankOrCreditUnion BarOrPub BeautySalon BedAndBreakfast BikeStore BookStore BowlingAlley Brewery CafeOrCoffeeShop
  Campground Casino ChildCare ClothingStore ComedyClub CommunityHealth ComputerStore ConvenienceStore
  CovidTestingFacility DaySpa Dentist DepartmentStore Dermatology DietNutrition Distillery DryCleaningOrLaundry
  Electrician ElectronicsStore Emergency EmergencyService EmploymentAgency EntertainmentBusiness ExerciseGym
  FastFoodRestaurant FinancialService FireStation Florist FoodEstablishment FurnitureStore GardenStore GasStation
  GeneralContractor Geriatric GolfCourse GovernmentOffice GroceryStore Gynecologic HVACBusiness HairSalon
  HardwareStore HealthAndBeautyBusiness HealthClub HobbyShop HomeAndConstructionBusiness HomeGoodsStore Hospital
  Hostel Hotel HousePainter IceCreamShop IndividualPhysician InsuranceAgency InternetCafe JewelryStore
  LegalService Library LiquorStore LocalBusiness Locksmith LodgingBusiness MedicalBusiness MedicalClinic
  MensClothingStore Midwifery MobilePhoneStore Motel MotorcycleDealer MotorcycleRepair MovieRentalStore
  MovieTheater MovingCompany MusicStore NailSalon NightClub Notary Nursing Obstetric OfficeEquipmentStore
  Oncologic Optician Optometric Otolaryngologic OutletStore PawnShop Pediatric PetStore Pharmacy Physician
  PhysiciansOffice Physiotherapy PlasticSurgery Plumber Podiatric PoliceStation PostOffice PrimaryCare
  ProfessionalService Psychiatric PublicHealth PublicSwimmingPool RadioStation RealEstateAgent RecyclingCenter
  Resort Restaurant RoofingContractor SelfStorage ShoeStore ShoppingCenter SkiResort SportingGoodsStore
  SportsActivityLocation SportsClub StadiumOrArena Store TattooParlor TelevisionStation TennisComplex TireShop
  TouristInformationCenter ToyStore TravelAgency VacationRental WholesaleStore Winery`;

const LOCAL_BUSINESS_TYPES: ReadonlySet<string> = new Set(TYPES.trim().split(/\s+/));

/** The schema.org type per pattern in what a trade is called. The first match counts. */
const TRADES: readonly (readonly [RegExp, string])[] = [
  [/hvac|air.?con(?:dition|\b)|\ba\/?c\b|heating|cooling|furnace|klima|heizung|lüftung|kälte/i, "HVACBusiness"],
  [/plumb|sanitär|klempner|installateur/i, "Plumber"],
  [/electric(ian|al)|elektrik|elektro/i, "Electrician"],
  [/roof|dachdeck/i, "RoofingContractor"],
  [/paint(er|ing)|\bmaler/i, "HousePainter"],
  [/locksmith|schlüsseldienst/i, "Locksmith"],
  [/mov(er|ing)|umzug/i, "MovingCompany"],
  [/contractor|handyman|remodel|construction/i, "GeneralContractor"],
  [/auto|car repair|mechanic|\bkfz/i, "AutoRepair"],
  [/dentist|dental|zahnarzt/i, "Dentist"],
  [/hair|salon|friseur/i, "HairSalon"],
  [/bakery|bäckerei/i, "Bakery"],
  [/caf[eé]|coffee/i, "CafeOrCoffeeShop"],
  [/restaurant|pizz|diner|gasthaus/i, "Restaurant"],
  [/hotel|inn\b/i, "Hotel"],
  [/attorney|lawyer|law firm|anwalt/i, "Attorney"],
  [/florist|blumen/i, "Florist"],
  [/store|shop/i, "Store"],
];

/** The schema.org type for what a trade is called, such as Google's categories; undefined if the words are not known. */
export function typeOfTrade(words: string): string | undefined {
  return TRADES.find(([called]) => called.test(words))?.[1];
}

/** Whether a schema.org type is LocalBusiness or one of its subtypes. */
export function isLocalBusiness(type: string): boolean {
  return LOCAL_BUSINESS_TYPES.has(type);
}
